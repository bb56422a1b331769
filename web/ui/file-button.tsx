import type { ReactNode } from 'react'

/** The formats that phones and desktops offer; SVG and HEIC are rasterised in the browser. */
const ACCEPT =
  'image/jpeg,image/png,image/webp,image/gif,image/avif,image/heic,image/heif,.heic,.heif'

interface Props {
  readonly children: ReactNode
  readonly onChoose: (files: readonly File[]) => void
  readonly multiple?: boolean
  /** Opens the camera directly, if there is one. */
  readonly camera?: boolean
  /** Accepts further formats besides images. */
  readonly accept?: string
  /** Accepts any file. */
  readonly any?: boolean
  readonly id?: string
  readonly disabled?: boolean
  readonly invalid?: boolean
  /** True for the main action of its screen. */
  readonly primary?: boolean
  readonly describedBy?: string | undefined
}

/** A button that opens the file picker, or the camera of a phone. */
export const FileButton = ({
  children,
  onChoose,
  multiple = false,
  camera = false,
  accept = '',
  any = false,
  id,
  disabled = false,
  invalid = false,
  primary = false,
  describedBy,
}: Props) => (
  <label className={`button file-button${camera ? ' camera' : ''}${primary ? ' primary' : ''}`}>
    {children}
    <input
      type="file"
      id={id}
      accept={any ? undefined : camera ? 'image/*' : ACCEPT + accept}
      {...(camera ? { capture: 'environment' } : {})}
      multiple={multiple}
      // Not the native `disabled`, which would drop the focus when the last photo that fits is chosen.
      aria-disabled={disabled}
      onClick={(event) => disabled && event.preventDefault()}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      onChange={(event) => {
        const files = [...(event.target.files ?? [])]
        // So that choosing the same file again fires a change event.
        event.target.value = ''
        if (files.length > 0) onChoose(files)
      }}
    />
  </label>
)
