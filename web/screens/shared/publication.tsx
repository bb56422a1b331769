import { Ban, CircleDashed, EyeOff, Globe } from 'lucide-react'

import { publicationOf, type Publication } from '#domain/publication.ts'
import { useStoreState } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages, type Messages } from '../../messages/messages.ts'

const LOOKS = {
  public: [Globe, 'plain'],
  planned: [Globe, 'plain'],
  unpublished: [EyeOff, 'plain'],
  removed: [EyeOff, 'plain'],
  incomplete: [CircleDashed, 'warn'],
  hidden: [Ban, 'danger'],
} as const satisfies Record<Publication['state'], unknown>

/** Shows whether a site is on the public map, and otherwise what is missing. */
export const PublicationBadge = ({ site }: { readonly site: SiteView }) => {
  const messages = useMessages()
  const business = useStoreState().data
  if (business === null) return null
  const publication = publicationOf(site, business)
  const [Icon, tone] = LOOKS[publication.state]
  return (
    <span className={`badge sentence ${tone}`}>
      <Icon className="icon" />
      {describePublication(messages, publication)}
    </span>
  )
}

const describePublication = ({ publication: text }: Messages, publication: Publication): string => {
  switch (publication.state) {
    case 'hidden':
      return text.hidden(publication.reason)
    case 'incomplete':
      return text.incomplete(publication.missing.map((need) => text.needs[need]))
    default:
      return text[publication.state]
  }
}
