import { Store as StoreIcon } from 'lucide-react'
import { Link, useParams } from 'react-router'

import { useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { LoadError } from '../../ui/load-error.tsx'
import '../../ui/form.css'
import { WithBusiness } from '../shared/with-business.tsx'
import { ImportStart } from './import-start.tsx'
import './imports.css'
import { ImportsSkeleton } from './imports-skeleton.tsx'
import { OneImport } from './one-import.tsx'
import { useCalls } from './use-calls.ts'

/** Imports many sites: the start of a new import with the former ones, or the import in the path. */
export const Imports = () => (
  <WithBusiness skeleton={<ImportsSkeleton />}>
    {(business) => (business === null ? <NoBusiness /> : <WithCalls />)}
  </WithBusiness>
)

const WithCalls = () => {
  const { id } = useParams()
  const calls = useCalls()
  if (calls === undefined) return <ImportsSkeleton />
  if (calls === null) return <LoadError />
  return id === undefined ? (
    <ImportStart calls={calls} />
  ) : (
    <OneImport key={id} id={id} calls={calls} />
  )
}

const NoBusiness = () => {
  const { imports: text, dashboard } = useMessages()
  return (
    <div className="card centre-card">
      <StoreIcon className="art" strokeWidth={1.5} />
      <p className="muted">{text.needsBusiness}</p>
      <Link className="button primary" to={PATHS.addBusiness}>
        {dashboard.addBusiness}
      </Link>
    </div>
  )
}
