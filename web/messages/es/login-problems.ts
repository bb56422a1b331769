import type { Catalogue } from '../messages.ts'

/** Sign-in problems, in Spanish. */
export default {
  loginProblems: {
    cancelled: 'Se canceló el inicio de sesión. Nada ha cambiado; inténtelo cuando quiera.',
    mismatch: 'Este inicio de sesión no se empezó en este navegador. Empiece de nuevo aquí.',
    clock:
      'La fecha o la hora de este dispositivo no es correcta, por lo que el inicio de sesión se considera caducado. Corríjala en los ajustes del dispositivo e inicie sesión de nuevo.',
    storage:
      'Este navegador no guarda datos de este sitio web, por lo que no es posible iniciar sesión. Permita las cookies y los datos del sitio en los ajustes del navegador e inicie sesión de nuevo.',
    unreachable: 'No se puede contactar ahora con el proveedor de acceso. Inténtelo en un momento.',
    refused: 'Su proveedor de acceso ha rechazado el inicio de sesión. Empiece de nuevo aquí.',
    misconfigured:
      'El inicio de sesión no está bien configurado aquí. Avise a quien gestiona este servicio; volver a intentarlo no servirá.',
  },
} satisfies Catalogue['login-problems']
