import account from '../../web/messages/en/account.ts'
import business from '../../web/messages/en/business.ts'
import core from '../../web/messages/en/core.ts'
import dashboard from '../../web/messages/en/dashboard.ts'
import form from '../../web/messages/en/form.ts'
import home from '../../web/messages/en/home.ts'
import login from '../../web/messages/en/login.ts'
import connectors from '../../web/messages/en/connectors.ts'
import drafts from '../../web/messages/en/drafts.ts'
import location from '../../web/messages/en/location.ts'
import map from '../../web/messages/en/map.ts'
import photos from '../../web/messages/en/photos.ts'
import shortcuts from '../../web/messages/en/shortcuts.ts'
import site from '../../web/messages/en/site.ts'
import terms from '../../web/messages/en/terms.ts'
import type { Messages } from '../../web/messages/messages.ts'

/** Every sentence in English, whichever screen says it: what tests look for. */
export const en: Messages = {
  ...account,
  ...business,
  ...core,
  ...dashboard,
  ...form,
  ...home,
  ...login,
  ...connectors,
  ...drafts,
  ...location,
  ...map,
  ...photos,
  ...shortcuts,
  ...site,
  ...terms,
}
