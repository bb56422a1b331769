import { Suspense } from 'react'
import { useController, useFormContext, useFormState } from 'react-hook-form'

import { FORMATS, type CurrentType, type Standard } from '#domain/connector.ts'
import { impliedBy } from '#domain/plug.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { useMessages } from '../../messages/messages.ts'
import { controlId } from '../../ui/form.ts'
import { PictureChoice } from '../../ui/picture-choice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { parseRow, type RowWarnings } from './connector-warnings.ts'
import { CurrentPicture, FormatPicture } from './connector-pictures.tsx'
import { PlugPicker } from './plug-picker.tsx'
import { parseKw, type SiteText } from './site-values.ts'
import { shownError, useDecimalField } from './use-field.ts'

/** All types, rare ones last. */
const CURRENTS: readonly CurrentType[] = [
  'AC_1_PHASE',
  'AC_3_PHASE',
  'DC',
  'AC_2_PHASE',
  'AC_2_PHASE_SPLIT',
]

const ConnectorMore = lazyComponent(
  async () => (await import('./connector-more.tsx')).ConnectorMore,
)

interface Props {
  readonly index: number
  readonly warnings: RowWarnings
}

/** The shared fields of a row of connectors. */
export const ConnectorFields = ({ index, warnings }: Props) => {
  const messages = useMessages()
  const labels = messages.fields.connectors
  const { control, getValues, setValue } = useFormContext<SiteText>()
  const formState = useFormState({ control })
  const decimalField = useDecimalField()
  const choice = (name: 'standard' | 'format' | 'current_type') =>
    `connectors.${index}.${name}` as const
  const errorOf = (name: 'standard' | 'format' | 'current_type') =>
    shownError(formState, choice(name))
  const standard = useController({ control, name: choice('standard') })
  const format = useController({ control, name: choice('format') })
  const current = useController({ control, name: choice('current_type') })

  /** Fills in the values implied by the plug, unless the user has changed them. */
  const chooseStandard = (chosen: Standard) => {
    const before = parseRow(getValues(`connectors.${index}`)).standard
    standard.field.onChange(chosen)
    const assumed = before === undefined ? {} : impliedBy(before)
    const implied = impliedBy(chosen)
    for (const name of ['format', 'current_type'] as const) {
      const value = getValues(choice(name))
      const wanted = implied[name]
      if (wanted !== undefined && (value === '' || value === assumed[name])) {
        setValue(choice(name), wanted, { shouldDirty: true, shouldValidate: true })
      }
    }
  }

  return (
    <>
      <PlugPicker
        id={controlId(choice('standard'))}
        value={standard.field.value}
        error={errorOf('standard')}
        onChange={chooseStandard}
        onBlur={standard.field.onBlur}
      />
      <PictureChoice
        id={controlId(choice('format'))}
        label={labels.format}
        wide
        options={FORMATS.map((value) => ({
          value,
          label: messages.format[value],
          picture: <FormatPicture format={value} />,
        }))}
        value={format.field.value}
        error={errorOf('format')}
        warning={warnings.format}
        onChange={format.field.onChange}
        onBlur={format.field.onBlur}
      />
      <PictureChoice
        id={controlId(choice('current_type'))}
        label={labels.current_type}
        options={CURRENTS.map((value) => ({
          value,
          label: messages.currentType[value],
          picture: <CurrentPicture current={value} />,
        }))}
        value={current.field.value}
        error={errorOf('current_type')}
        warning={warnings.current_type}
        onChange={current.field.onChange}
        onBlur={current.field.onBlur}
      />
      <TextField
        inputMode="decimal"
        warning={warnings.kw_rating}
        {...decimalField(`connectors.${index}.kw_rating`, { read: parseKw })}
      />
      <Suspense>
        <ConnectorMore index={index} />
      </Suspense>
    </>
  )
}
