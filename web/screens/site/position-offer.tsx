import { formatDecimal } from '../../format/decimal.ts'
import type { Coordinates } from '../../map/coordinates.ts'
import { useLanguage } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'

interface Props {
  /** The name of the file. */
  readonly name: string
  readonly position: Coordinates
  readonly onDecide: (used: boolean) => void
}

/** Offers the position of a photo for the site. */
export const PositionOffer = ({ name, position, onDecide }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.photos
  const place = [position.latitude, position.longitude]
    .map((degrees) => formatDecimal(degrees, locale))
    .join(' / ')
  return (
    <Banner
      tone="info"
      title={text.position(name, place)}
      actions={
        <>
          <Button onClick={() => onDecide(true)}>{text.usePosition}</Button>
          <Button look="quiet" onClick={() => onDecide(false)}>
            {text.ignorePosition}
          </Button>
        </>
      }
    >
      <p>{text.positionPrivacy}</p>
    </Banner>
  )
}
