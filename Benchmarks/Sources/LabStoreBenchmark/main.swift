import BenchmarkSupport
import Glibc
import PluginAPI

// The cache of an openBIS account: imports, reads and searches of a million entities.
//
// An entity has a header of 20 characters, a summary of 60, server's words of 80, two properties and three children,
// each with three parents; words are indexed in the same transaction. The time of an import is the processor time of
// the process from the first row to the end of the commit. For 100 000 entities the rows are made in advance; for a
// million they are made during the import, and the separately measured time to make them is subtracted. Copying the log
// into the file afterwards, for which no one waits, is measured separately. Memory is the largest resident size above
// that before, while rows arrive one batch at a time. Reading is measured in the open cache of a million, each kind
// with different arguments, and reported as median and 99th percentile; a LIKE over the same file is the naive peer.
//
// Usage: LabStoreBenchmark [COUNT] [FOLDER-TO-KEEP]    (else 1000000 entities in a folder that is removed)

let arguments = CommandLine.arguments
let count = arguments.count > 1 ? Int(arguments[1]) ?? 1_000_000 : 1_000_000
let scratch = ScratchFolder()
defer { _ = Program.run(["rm", "-rf", scratch.path]) }
let folder = arguments.count > 2 ? arguments[2] : scratch.path
do {
  try await ApplyCase(folder: folder).run(few: 100_000, many: count)
  try await ReadCase(folder: folder, count: count).run()
} catch {
  print("{\"name\":\"lab store\",\"error\":\"\(error)\"}")
}
