import { COVER_THUMB } from '#domain/site.ts'
import { useMessages } from '../messages/messages.ts'
import { thumbnail } from '../photos/thumbnail.ts'
import { SitePicture } from '../ui/site-picture.tsx'
import type { ShownSite } from './shown-site.ts'

/** The photos of a site, the cover first and largest. Each links to its full size. Without photos, a drawing. */
export const SitePhotos = ({ site: { name, photos } }: { readonly site: ShownSite }) => {
  const messages = useMessages()
  const text = messages.traveller
  if (photos.length === 0)
    return (
      <div className="traveller-photos" data-photos={0}>
        <SitePicture />
      </div>
    )
  return (
    <ul
      className="traveller-photos"
      data-photos={Math.min(photos.length, 4)}
      aria-label={text.photos(name)}
    >
      {photos.map(({ src, category }, index) => (
        <li key={src}>
          <a href={src}>
            <img
              src={thumbnail(src, COVER_THUMB)}
              srcSet={`${thumbnail(src)} 300w, ${thumbnail(src, COVER_THUMB)} 960w`}
              sizes={index === 0 ? COVER_SIZES : MORE_SIZES}
              width={960}
              height={540}
              alt={
                category === '' || category === 'OTHER'
                  ? text.photo(index + 1, name)
                  : messages.about(messages.photoCategories[category], name)
              }
              {...(index === 0 ? { fetchPriority: 'high' } : { loading: 'lazy' })}
            />
          </a>
        </li>
      ))}
    </ul>
  )
}

const COVER_SIZES = '(min-width: 60rem) 45rem, 100vw'
const MORE_SIZES = '(min-width: 60rem) 22rem, 80vw'
