import type { Catalogue } from '../messages.ts'

/** The form of a business, in Spanish. */
export default {
  business: {
    logo: 'Logotipo',
    logoHint: 'PNG, JPEG, WebP o SVG. Se muestra en un cuadrado.',
    chooseLogo: 'Elegir imagen',
    replaceLogo: 'Cambiar imagen',
    removeLogo: 'Quitar logotipo',
    logoPreview: 'Vista previa de su logotipo',
    name: 'Nombre de la empresa',
    description: 'Descripción',
    descriptionHint: 'Una o dos frases sobre su empresa.',
    website: 'Sitio web',
    openWebsite: 'Abrir el sitio web en otra pestaña',
    contactEmail: 'Correo de contacto',
    useOwnEmail: 'Usar mi dirección de acceso',
    save: 'Guardar empresa',
    saved: 'Su empresa está guardada',
    needsBusiness:
      'Un emplazamiento pertenece a una empresa. Añada primero la suya; el formulario sigue después.',
  },
} satisfies Catalogue['business']
