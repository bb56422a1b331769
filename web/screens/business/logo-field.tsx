import { ImagePlus, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'

import { useMessages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { prepareImage } from '../../photos/image.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { thumbnail } from '../../photos/thumbnail.ts'

/** Maximum side of a logo, in pixels. */
const SIDE = 512

interface Props {
  /** URL of the stored logo, or empty. */
  readonly src: string
  /** A new logo; null to remove the stored one, undefined if unchanged. */
  readonly logo: File | null | undefined
  readonly onChange: (logo: File | null | undefined) => void
  /** True while a chosen image is being prepared. */
  readonly isPreparing: boolean
  readonly onPreparing: (isPreparing: boolean) => void
  /** Called if an image could not be prepared. */
  readonly onFailure: () => void
  /** The error of the server. */
  readonly problem: string | undefined
}

/** Chooses, shows and removes the logo. */
export const LogoField = (props: Props) => {
  const { src, logo, onChange, isPreparing, onPreparing, onFailure, problem } = props
  const messages = useMessages()
  const text = messages.business
  const [failure, setFailure] = useState<string>()
  const preview = useMemo(() => (logo instanceof File ? URL.createObjectURL(logo) : ''), [logo])
  useEffect(() => () => URL.revokeObjectURL(preview), [preview])
  const shown = logo === null ? '' : preview || thumbnail(src)
  const error = failure ?? problem
  const actions = useRef<HTMLDivElement>(null)

  const choose = async (file: File) => {
    onPreparing(true)
    const prepared = await prepareImage(file, { side: SIDE, kind: 'logo' })
    onPreparing(false)
    if ('file' in prepared) {
      setFailure(undefined)
      onChange(prepared.file)
    } else {
      setFailure(
        prepared.failure === 'heic'
          ? messages.form.photoHeic(file.name)
          : messages.form.photoUnreadable(file.name),
      )
      onFailure()
    }
  }

  const remove = () => {
    setFailure(undefined)
    onChange(src === '' ? undefined : null)
    // The focused button has disappeared with the logo.
    actions.current?.querySelector('input')?.focus()
  }

  return (
    <fieldset className="field" aria-labelledby="logo-label">
      <span className="label" id="logo-label">
        {messages.fields.businesses.logo}{' '}
        <span className="optional">({messages.form.optional})</span>
      </span>
      <p className="hint" id="logo-hint">
        {text.logoHint}
      </p>
      <div className="logo-field">
        <div className={`logo-preview${shown === '' ? '' : ' filled'}`}>
          {shown === '' ? (
            <ImagePlus className="icon" />
          ) : (
            <img src={shown} alt={text.logoPreview} />
          )}
        </div>
        <div className="field-actions" ref={actions}>
          <FileButton
            id="field-logo"
            accept=",image/svg+xml"
            invalid={error !== undefined}
            describedBy={error === undefined ? 'logo-hint' : 'logo-hint logo-error'}
            onChoose={([file]) => file !== undefined && void choose(file)}
          >
            {isPreparing && <Spinner />}
            {shown === '' ? text.chooseLogo : text.replaceLogo}
          </FileButton>
          {shown !== '' && (
            <Button look="quiet" onClick={remove}>
              <Trash2 className="icon" />
              {text.removeLogo}
            </Button>
          )}
        </div>
      </div>
      <output id="logo-error">
        {error !== undefined && <FieldErrorText>{error}</FieldErrorText>}
      </output>
    </fieldset>
  )
}
