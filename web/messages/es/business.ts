import type { Catalogue } from '../messages.ts'

/** The forms of a business, in Spanish. */
export default {
  business: {
    logoHint: 'PNG, JPEG, WebP o SVG. Se muestra en un cuadrado.',
    chooseLogo: 'Elegir imagen',
    replaceLogo: 'Cambiar imagen',
    removeLogo: 'Quitar logotipo',
    logoPreview: 'Vista previa de su logotipo',
    descriptionHint: 'Una o dos frases sobre su empresa.',
    openWebsite: 'Abrir el sitio web en otra pestaña',
    useOwnEmail: 'Usar mi dirección de acceso',
    moreTitle: 'Para registros e itinerancia',
    moreHint: 'Razón social, teléfono, identificador, licencia de los datos',
    save: 'Guardar empresa',
    saved: 'Su empresa está guardada',
    needsBusiness:
      'Cada ubicación pertenece a una empresa. Añada primero la suya y después la ubicación.',
  },
} satisfies Catalogue['business']
