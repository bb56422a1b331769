import type { WebSettings } from '#domain/settings.ts'

import { tabStorage } from '../storage.ts'

/** The message that Login shows after the redirect back from the provider. */
export const MESSAGE_KEY = 'voltleaf:message-after-sign-out'

/**
 * Ends the session of the sign-in provider in the background; otherwise it would outlive the app's own (decision 0043).
 * @param message the text of a toast that the redirect to the provider would cut short
 */
export const leaveProvider = (settings: WebSettings, message?: string): void => {
  if (settings['provider-sign-out'] !== 'on') return
  const keepMessage = () => void (message !== undefined && tabStorage.set(MESSAGE_KEY, message))
  void import('./provider-sign-out.ts')
    .then(({ signOutAtProvider }) => signOutAtProvider(settings['base-path'], keepMessage))
    .catch(() => {})
}
