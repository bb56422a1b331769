/** Marks that turn the direction of what follows (Unicode, UAX #9): with them "gnp.evil" reads "live.png". */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g

/** What somebody wrote, for a sentence of ours: without marks that would turn the rest of it around. */
export const plainText = (text: string): string => text.replace(DIRECTION_MARKS, '')

/** A price as it was written, with its amount and its unit on one line: "€0.45 / kWh". */
export const onOneLine = (price: string): string =>
  price.replaceAll(' / ', '\u00A0/\u00A0').replaceAll(/(?<=\d) (?=\p{Sc})/gu, '\u00A0')

/** What somebody wrote, as it is shown: its direction is its own, and ends with it. */
export const UserText = ({ text }: { readonly text: string }) => <bdi>{plainText(text)}</bdi>
