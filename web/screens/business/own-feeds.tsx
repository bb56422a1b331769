import { Link } from 'react-router'

import { OPEN, openPath } from '#domain/open-data.ts'
import { useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { useSettings } from '../../settings.ts'
import { CopyField } from '../../ui/copy-field.tsx'

/** The formats that most partners and registers request. */
const FILES = [
  ['irve', 'IRVE (CSV)'],
  ['geojson', 'GeoJSON'],
  ['csv', 'CSV'],
] as const

/** The URLs at which others read a business's public sites. */
export const OwnFeeds = ({ business }: { readonly business: string }) => {
  const { open: text } = useMessages()
  const root = location.origin + useSettings()['base-path']
  const addresses = [
    ['OCPI', OPEN.ocpiVersions(business)],
    ...FILES.map(([format, name]) => [name, openPath(format, business)] as const),
  ] as const
  return (
    <section className="card form-section form own-feeds" aria-labelledby="own-feeds">
      <h2 id="own-feeds">{text.feedsTitle}</h2>
      <p className="muted">{text.feedsText}</p>
      <dl className="own-feeds-list">
        {addresses.map(([name, path]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <CopyField label={text.address(name)} value={root + path} words={text} />
            </dd>
          </div>
        ))}
      </dl>
      <p>
        <Link to={`${PATHS.open}?business=${business}`}>{text.allFormats}</Link>
      </p>
    </section>
  )
}
