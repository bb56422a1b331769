import { BUSINESSES, SITES } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import type { PublicBusiness, PublicSite } from '#domain/public-site.ts'
import type { PhotoCategory } from '#domain/site.ts'

/** A photo with its URL and its category, which is empty if unknown. */
interface ShownPhoto {
  readonly src: string
  readonly category: PhotoCategory | ''
}

/** A public site with the URLs of its images, as travellers see it. */
export interface ShownSite extends Omit<
  PublicSite,
  'photos' | 'photo_categories' | 'business' | 'updated'
> {
  readonly photos: readonly ShownPhoto[]
  /** `logo` is a URL, or empty. */
  readonly business: Pick<PublicBusiness, 'name' | 'website' | 'logo'>
  /** The time of the last change, if known. */
  readonly updated?: string
}

/** Converts a public site. The URLs of its images begin with `origin`. */
export const shownSite = (
  { photos, photo_categories, business, ...site }: PublicSite,
  origin: string,
): ShownSite => ({
  ...site,
  photos: photos.map((name) => ({
    src: origin + API.file(SITES, site.id, name),
    category: photo_categories?.[name] ?? '',
  })),
  business: {
    ...business,
    logo: business.logo && origin + API.file(BUSINESSES, business.id, business.logo),
  },
})
