import { useState } from 'react'

import { OPEN, openPath } from '#domain/open-data.ts'
import { useMessages } from '../../messages/messages.ts'
import { CopyField } from '../../ui/copy-field.tsx'

interface Props {
  /** The URL of the installation. */
  readonly root: string
  readonly business: string | undefined
}

/** Sample commands that read the data. */
export const Examples = ({ root, business }: Props) => {
  const text = useMessages().open
  const [day] = useState(() => new Date(Date.now() - DAY_MS).toISOString().slice(0, 10))
  const geojson = root + openPath('geojson', business)
  const commands = {
    whole: `curl --compressed -O ${geojson}`,
    since: `curl --compressed '${geojson}?since=${day}T00:00:00Z'`,
    again: `curl --compressed --etag-save tag --etag-compare tag -O ${geojson}`,
    ocpi: `curl ${root}${OPEN.ocpiVersions(business)}`,
  }
  return (
    <section className="card open-examples" aria-labelledby="open-examples">
      <h2 id="open-examples">{text.examplesTitle}</h2>
      <p className="muted">{text.sinceText}</p>
      <dl>
        {EXAMPLES.map((name) => (
          <div key={name}>
            <dt>{text.example[name]}</dt>
            <dd>
              <CopyField label={text.example[name]} value={commands[name]} words={text} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const DAY_MS = 24 * 60 * 60 * 1000
const EXAMPLES = ['whole', 'since', 'again', 'ocpi'] as const
