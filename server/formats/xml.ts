/** Characters that XML 1.0 forbids even in escaped form, including unpaired surrogates. */
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Finds texts that may need escaping; most texts do not. */
// oxlint-disable-next-line no-control-regex
const SPECIAL = /[\u0000-\u001f&<>"\ud800-\udfff\ufffe\uffff]/

/** Escapes a text for the content of an element, or for an attribute in double quotes. */
export const escapeXml = (text: string): string => (SPECIAL.test(text) ? escaped(text) : text)

const escaped = (text: string): string =>
  text
    .replaceAll(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\t', '&#9;')

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
