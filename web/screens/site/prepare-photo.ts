import { sites } from '#domain/site.ts'
import type { Language } from '../../messages/messages.ts'
import { prepareImage } from '../../photos/image.ts'

/** Maximum side of an uploaded photo: sharp on a large screen, at a tenth of the camera's file size. */
const SIDE = 2048

const { maxBytes: MAX_BYTES } = sites.fields.photos

/** Prepares a photo for upload, or explains why it cannot be used. Loaded with the first photo. */
export const preparePhoto = async (
  file: File,
  { messages, locale }: Pick<Language, 'messages' | 'locale'>,
): Promise<{ readonly file: File } | { readonly failure: string }> => {
  const prepared = await prepareImage(file, { side: SIDE, kind: 'photo' })
  if ('failure' in prepared) {
    const { photoHeic, photoUnreadable } = messages.form
    return { failure: (prepared.failure === 'heic' ? photoHeic : photoUnreadable)(file.name) }
  }
  if (prepared.file.size <= MAX_BYTES) return prepared
  const megabytes = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  return { failure: messages.photos.tooLarge(file.name, megabytes.format(MAX_BYTES / 1024 ** 2)) }
}
