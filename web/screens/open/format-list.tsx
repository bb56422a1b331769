import { Download } from 'lucide-react'

import { OPEN, OPEN_FORMATS, openLossesPath, openPath, type OpenFormat } from '#domain/open-data.ts'
import { useMessages } from '../../messages/messages.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { FORMAT_NAMES, wordsOf } from './formats.ts'

interface Props {
  /** The URL of the installation. */
  readonly root: string
  readonly business: string | undefined
  /** The approximate size of a file, once known. */
  readonly sizeOf?: (format: OpenFormat) => string
}

/** The formats, each with its purpose, its URL, and its omissions. */
export const FormatList = ({ root, business, sizeOf }: Props) => {
  const text = useMessages().open
  return (
    <ul className="open-formats">
      {OPEN_FORMATS.map((format) => (
        <li key={format} className="card open-format">
          <h3>{FORMAT_NAMES[format]}</h3>
          <p className="muted">{text.formats[wordsOf(format)]}</p>
          <CopyField
            label={text.address(FORMAT_NAMES[format])}
            value={root + addressOf(format, business)}
            words={text}
          />
          <div className="open-format-ways">
            {!isOcpi(format) && (
              <span className="open-format-file">
                <a
                  className="button"
                  href={root + openPath(format, business)}
                  download
                  aria-label={text.downloadOf(FORMAT_NAMES[format])}
                >
                  <Download className="icon" />
                  {text.download}
                </a>
                <span className="muted">{sizeOf?.(format)}</span>
              </span>
            )}
            <a
              className="button link"
              href={root + openLossesPath(format, business)}
              target="_blank"
              rel="noopener"
              aria-label={text.lossesOf(FORMAT_NAMES[format])}
            >
              {text.losses}
            </a>
          </div>
        </li>
      ))}
    </ul>
  )
}

const isOcpi = (format: OpenFormat): boolean => format.startsWith('ocpi-')

/** The path of a format. OCPI partners start with the versions endpoint. */
const addressOf = (format: OpenFormat, business: string | undefined): string =>
  isOcpi(format) ? OPEN.ocpiVersions(business) : openPath(format, business)
