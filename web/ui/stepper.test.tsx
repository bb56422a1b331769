import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { LanguageContext, loadMessages } from '../messages/messages.ts'
import { CopyField } from './copy-field.tsx'
import { Stepper } from './stepper.tsx'

test('spoken labels of French have a space before their colon', async () => {
  const messages = await loadMessages('fr', ['core'])
  const language = { language: 'fr', locale: 'fr-FR', messages, choose: () => undefined } as const
  const html = renderToStaticMarkup(
    <LanguageContext value={language}>
      <Stepper label="Places" fewer="moins" more="plus" onStep={() => undefined} />
      <CopyField label="Adresse" value="/" words={{ copy: 'Copier', copied: 'Copié' }} />
    </LanguageContext>,
  )
  const labels = [...html.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label)
  expect(labels).toEqual(['Places\u00A0: moins', 'Places\u00A0: plus', 'Copier\u00A0: Adresse'])
})
