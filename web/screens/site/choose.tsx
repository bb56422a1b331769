import { Link, Navigate } from 'react-router'

import { useMessages } from '../../messages/messages.ts'
import { editSitePath, PATHS } from '../../ui/paths.ts'
import { WithBusiness } from '../shared/with-business.tsx'
import './site-form.css'

/** Edit Site without saying which: the only one, a choice of several, or a new one (decisions 6). */
export const ChooseSite = () => {
  const { site: text } = useMessages()
  return (
    <WithBusiness>
      {(business) => {
        const sites = business?.sites ?? []
        const [first] = sites
        if (first === undefined) return <Navigate to={PATHS.addSite} replace />
        if (sites.length === 1) return <Navigate to={editSitePath(first.id)} replace />
        return (
          <section className="choose-list stack" aria-labelledby="choose-title">
            <h2 id="choose-title">{text.chooseTitle}</h2>
            <ul className="stack">
              {sites.map((site) => (
                <li key={site.id}>
                  <Link className="card" to={editSitePath(site.id)}>
                    <strong>{site.name}</strong>
                    <span className="muted">{site.address}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )
      }}
    </WithBusiness>
  )
}
