import { useMessages } from '../messages/messages.ts'
import { Banner } from './banner.tsx'
import { controlId } from './form.ts'

interface Props {
  readonly errors: readonly { readonly path: string; readonly message: string }[]
}

/** Lists all errors of a form at its top; each links to its field. */
export const ErrorSummary = ({ errors }: Props) => {
  const messages = useMessages()
  return (
    <Banner tone="danger" title={messages.form.problems(errors.length)}>
      <p>{messages.form.problemsText}</p>
      <ul className="error-list">
        {errors.map(({ path, message }) => (
          <li key={path}>
            <a
              href={`#${controlId(path)}`}
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(controlId(path))?.focus()
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
