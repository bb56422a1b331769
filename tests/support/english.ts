import account from '../../web/messages/en/account.ts'
import business from '../../web/messages/en/business.ts'
import choices from '../../web/messages/en/choices.ts'
import consent from '../../web/messages/en/consent.ts'
import core from '../../web/messages/en/core.ts'
import form from '../../web/messages/en/form.ts'
import home from '../../web/messages/en/home.ts'
import hours from '../../web/messages/en/hours.ts'
import imports from '../../web/messages/en/imports.ts'
import loginProblems from '../../web/messages/en/login-problems.ts'
import map from '../../web/messages/en/map.ts'
import many from '../../web/messages/en/many.ts'
import open from '../../web/messages/en/open.ts'
import owner from '../../web/messages/en/owner.ts'
import page from '../../web/messages/en/page.ts'
import reports from '../../web/messages/en/reports.ts'
import shortcuts from '../../web/messages/en/shortcuts.ts'
import tariffs from '../../web/messages/en/tariffs.ts'
import traveller from '../../web/messages/en/traveller.ts'
import type { Messages } from '../../web/messages/messages.ts'

/** All English texts of all screens, for queries in tests. */
export const en: Messages = {
  ...account,
  ...business,
  ...choices,
  ...consent,
  ...core,
  ...form,
  ...home,
  ...hours,
  ...imports,
  ...loginProblems,
  ...map,
  ...many,
  ...open,
  ...owner,
  ...page,
  ...reports,
  ...shortcuts,
  ...tariffs,
  ...traveller,
}
