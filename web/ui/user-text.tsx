/**
 * Bidirectional control characters (Unicode, UAX #9): with them "gnp.evil" is displayed as "live.png".
 */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g

/** Returns user text for use in a sentence, without bidirectional control characters, which would affect the rest. */
export const plainText = (text: string): string => text.replace(DIRECTION_MARKS, '')

/** A price as entered, with the amount and its unit on one line: "€0.45 / kWh". */
export const onOneLine = (price: string): string =>
  price.replaceAll(' / ', '\u00A0/\u00A0').replaceAll(/(?<=\d) (?=\p{Sc})/gu, '\u00A0')

/** Displays user text, isolated so that its direction does not affect its surroundings. */
export const UserText = ({ text }: { readonly text: string }) => <bdi>{plainText(text)}</bdi>
