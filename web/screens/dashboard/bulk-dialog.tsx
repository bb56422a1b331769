import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useEffect } from 'react'
import { FormProvider, useForm } from 'react-hook-form'

import type { bulkNames } from '#domain/record.ts'
import { readValue } from '#domain/schema.ts'
import { sites as siteCollection } from '#domain/site.ts'
import type { SiteInput, SiteView } from '../../data/state.ts'
import { blankTexts, schemaInput, textsOf } from '../../format/field-text.ts'
import { fieldErrorText, useLanguage } from '../../messages/messages.ts'
import '../../ui/overlays.css'
import { FieldControl } from '../shared/field-control.tsx'

/** The name of a field that can be set for many sites. */
export type BulkName = ReturnType<typeof bulkNames<typeof siteCollection>>[number]

interface Props {
  readonly name: BulkName
  /** The sites that are to have the value. */
  readonly sites: readonly SiteView[]
  readonly onClose: () => void
  readonly onSet: (fields: Partial<SiteInput>) => void
}

/** Asks for the value that many sites are to have. If they have the same one now, it stands there. */
export const BulkDialog = ({ name, sites, onClose, onSet }: Props) => {
  const { locale, messages } = useLanguage()
  const text = messages.many
  const values = new Set(sites.map((site) => textsOf(siteCollection, site, locale)[name]))
  const [common = ''] = values.size === 1 ? values : []
  const form = useForm<Record<string, string>>({ defaultValues: { [name]: common } })
  const { register, handleSubmit, setError, setFocus, formState } = form
  useEffect(() => setFocus(name), [setFocus, name])
  const submit = handleSubmit((entered) => {
    const input = schemaInput(siteCollection, { ...blankTexts(siteCollection), ...entered })
    const reading = readValue(siteCollection.fields[name], input[name])
    if (reading.error === undefined) onSet({ [name]: reading.value })
    else setError(name, { message: fieldErrorText(messages, name, reading.error) })
  })
  return (
    <I18nProvider locale={locale}>
      <ModalOverlay className="scrim" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
        <Modal className="dialog-box">
          <Dialog className="dialog">
            <Heading slot="title" level={2}>
              {text.title(sites.length)}
            </Heading>
            <FormProvider {...form}>
              <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
                <FieldControl
                  {...register(name)}
                  declared={siteCollection.fields[name]}
                  label={messages.fields.sites[name]}
                  hint={values.size > 1 ? text.mixed : undefined}
                  error={formState.errors[name]?.message}
                />
                <div className="dialog-actions">
                  <button type="button" className="button" onClick={onClose}>
                    {messages.actions.cancel}
                  </button>
                  <button type="submit" className="button primary">
                    {text.set(sites.length)}
                  </button>
                </div>
              </form>
            </FormProvider>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  )
}
