import { readParts } from '../../server/formats/formats.ts'

// Runs as a separate process with limited memory: reads a source from the standard input.

const counts = { stations: 0, connectors: 0, problems: [] as string[] }
for await (const part of readParts(process.stdin)) {
  if ('problem' in part) counts.problems.push(part.problem.code)
  else {
    counts.stations++
    counts.connectors += part.station.connectors.length
  }
}
console.log(JSON.stringify(counts))
