import type { WebSettings } from '#domain/settings.ts'

/** Ends the session of the sign-in provider, too, behind that of the product: it would outlive it (decision 0043). */
export const leaveProvider = (settings: WebSettings): void => {
  if (settings['provider-sign-out'] !== 'on') return
  void import('./provider-sign-out.ts')
    .then(({ signOutAtProvider }) => signOutAtProvider(settings['base-path']))
    .catch(() => {})
}
