import { PASSWORD_LIMITS, passwordProblem, type PasswordProblem } from '#domain/password.ts'
import { isEmail } from '#domain/schema.ts'

import { createPasswords } from '../server/auth/password.ts'
import { putSuperuser } from '../server/auth/superuser.ts'
import { upgrade } from '../server/db/migrate.ts'
import { StartupError } from '../server/problem.ts'
import { askPassword } from './ask-password.ts'
import { withDatabase } from './database.ts'
import { offerHelp, run, loadConfig } from './process.ts'

const USAGE = 'npm run superuser -- EMAIL'

const main = async (): Promise<void> => {
  const email = readArguments()
  const config = loadConfig()
  const password = await askPassword({ input: process.stdin, output: process.stdout })
  const problem = passwordProblem(password)
  if (problem !== undefined) throw new StartupError(PROBLEMS[problem])
  await withDatabase(config, async (sql) => {
    await upgrade(sql)
    const outcome = await putSuperuser(sql, createPasswords(), email, password)
    console.log(
      outcome === 'created'
        ? `${email} is now a superuser.`
        : `${email} has a new password; all existing sessions have ended.`,
    )
  })
}

/** The password is deliberately not an argument, so a second argument is an error: it is most likely a password. */
const readArguments = (): string => {
  offerHelp(USAGE)
  const [email, ...rest] = process.argv.slice(2)
  if (email === undefined) throw new StartupError(`Use: ${USAGE}`)
  if (rest.length > 0)
    throw new StartupError(
      `Use: ${USAGE}\nEnter the password when asked, or pass it on standard input: other users of this computer can read arguments.`,
    )
  if (!isEmail(email)) throw new StartupError(`"${email}" is not an email address. Use: ${USAGE}`)
  return email
}

const PROBLEMS: Readonly<Record<PasswordProblem, string>> = {
  blank: 'The password is empty; nothing was changed.',
  tooShort: `The password needs at least ${PASSWORD_LIMITS.min} characters; nothing was changed.`,
  tooLong: `The password may have at most ${PASSWORD_LIMITS.max} characters; nothing was changed.`,
  unusable: 'The password contains characters that are not allowed; nothing was changed.',
}

await run(main)
