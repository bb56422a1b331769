import type { WebSettings } from '#domain/settings.ts'

import { tabStorage } from '../storage.ts'

/** What Login says when the provider has led back to it. */
export const MESSAGE_KEY = 'voltleaf:message-after-sign-out'

/**
 * Ends the session of the sign-in provider, too, behind that of the product: it would outlive it (decision 0043).
 * @param message what is said in a toast, which the way to the provider would end
 */
export const leaveProvider = (settings: WebSettings, message?: string): void => {
  if (settings['provider-sign-out'] !== 'on') return
  const keepMessage = () => void (message !== undefined && tabStorage.set(MESSAGE_KEY, message))
  void import('./provider-sign-out.ts')
    .then(({ signOutAtProvider }) => signOutAtProvider(settings['base-path'], keepMessage))
    .catch(() => {})
}
