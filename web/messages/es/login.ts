import type { Catalogue } from '../messages.ts'

/** Login, in Spanish. */
export default {
  login: {
    heading: 'Le damos la bienvenida',
    text: 'Pasará por su proveedor de acceso y volverá aquí.',
    button: 'Continuar con inicio de sesión único',
    leaving: 'Hacia su proveedor de acceso…',
    finishing: 'Iniciando sesión…',
    offline: 'Está sin conexión. Para iniciar sesión hace falta conexión.',
    required: 'Inicie sesión para abrir esa página. Llegará a ella justo después.',
    problems: {
      cancelled: 'Se canceló el inicio de sesión. Nada ha cambiado; inténtelo cuando quiera.',
      mismatch:
        'Esa respuesta no corresponde a un inicio de sesión de este navegador. Empiece de nuevo aquí.',
      unreachable:
        'No se puede contactar ahora con el proveedor de acceso. Inténtelo en un momento.',
      failed: 'El inicio de sesión no funcionó. Inténtelo de nuevo.',
    },
  },
} satisfies Catalogue['login']
