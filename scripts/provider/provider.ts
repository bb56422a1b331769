import { execFileSync } from 'node:child_process'
import { isLoopback, type Config } from '../../server/config.ts'
import { StartupError } from '../../server/problem.ts'
import { root } from '../process.ts'
import { startStandInProvider, type StandInProvider } from './stand-in-provider.ts'

/** Settings with a sign-in provider, and the stand-in if one was started. */
export interface ProvidedConfig {
  readonly config: Config
  readonly provider?: StandInProvider
}

/**
 * Completes the settings with what the repository provides: a stand-in sign-in provider if none is configured, and the
 * git revision as the version.
 * @throws {StartupError} if other computers could reach the stand-in, which accepts any identity
 */
export const withProvider = async (settings: Config): Promise<ProvidedConfig> => {
  const named = { ...settings, appVersion: settings.appVersion || readRevision() }
  if (named.oidc) return { config: named }
  if (named.production || !isLoopback(named.host)) {
    const reason = named.production ? 'NODE_ENV=production' : `HOST=${named.host}`
    throw new StartupError(
      `The stand-in sign-in provider accepts everyone and is refused with ${reason}: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET (see .env.example).`,
    )
  }
  const provider = await startStandInProvider({
    origins: named.origins,
    basePath: named.basePath,
    dataDir: named.dataDir,
    ...(named.idpPort !== undefined && { port: named.idpPort }),
  })
  const { issuer, clientId, clientSecret } = provider
  const scopes = 'openid email profile'
  // The stand-in has no session to end, and always asks for the account.
  const oidc = { issuer, clientId, clientSecret, scopes, name: '', signOut: false }
  return { config: { ...named, oidc }, provider }
}

const readRevision = (): string => {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}
