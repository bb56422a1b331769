import { saveLocale, type Locale } from '../messages/locale.ts'

/** Shows a button that requires the script. */
const offer = (button: HTMLElement, act: () => void): void => {
  button.hidden = false
  button.addEventListener('click', act)
}

/** Sets up the button that shares the URL of a page about a site, or copies it. */
const shareButton = (): void => {
  const button = document.querySelector<HTMLButtonElement>('[data-share]')
  const copied = document.querySelector<HTMLElement>('[data-copied]')
  // The clipboard requires a secure context.
  const { share, clipboard } = navigator as Partial<Navigator>
  if (button === null || (share === undefined && clipboard === undefined)) return
  const url = button.dataset['share'] ?? ''
  const act = async (): Promise<void> => {
    if (share !== undefined) return share.call(navigator, { title: document.title, url })
    await clipboard?.writeText(url)
    if (copied !== null) copied.textContent = copied.dataset['copied'] ?? ''
  }
  // Cancelling the share dialog of the device is not an error.
  offer(button, () => void act().catch(() => undefined))
}

const printButton = (): void => {
  const button = document.querySelector<HTMLButtonElement>('[data-print]')
  if (button !== null) offer(button, () => print())
}

/** A language chosen on the page also applies to the app and to pages whose URL names none. */
const languageLinks = (): void => {
  for (const link of document.querySelectorAll<HTMLElement>('[data-language]'))
    link.addEventListener('click', () => {
      const { language, basePath } = link.dataset
      saveLocale(language as Locale, basePath ?? '')
    })
}

// The script of a page about a site, and of its poster.
shareButton()
printButton()
languageLinks()
