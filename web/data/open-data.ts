import { OPEN, type OpenBusiness, type OpenCatalogue } from '#domain/open-data.ts'

import { readPublic } from './public-sites.ts'

/**
 * Reads the catalogue of open data, of the network or of a business, without a session. `basePath` is the base path of
 * the installation.
 * @throws {Failed}
 */
export const readCatalogue = (
  basePath: string,
  business: string | undefined,
  signal: AbortSignal,
): Promise<OpenCatalogue> => readPublic(basePath + OPEN.catalogue(business), signal)

/**
 * Reads the businesses with public sites.
 * @throws {Failed}
 */
export const readBusinesses = (
  basePath: string,
  signal: AbortSignal,
): Promise<readonly OpenBusiness[]> => readPublic(basePath + OPEN.businesses, signal)
