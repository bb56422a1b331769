/** A progress indicator; the text beside it describes the operation. */
export const Spinner = () => <span className="spinner" aria-hidden="true" />
