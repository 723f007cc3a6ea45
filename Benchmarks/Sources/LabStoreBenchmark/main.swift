import BenchmarkSupport
import Glibc
import PluginAPI

// The cache of an openBIS account: taking answers in, and reading and searching a million entities.
//
// An entity has a header of 20 characters, a summary of 60, server's words of 80, two properties and three children, who
// have three parents each; words are indexed in the same transaction. The time of taking in is the processor time of the
// process from the first row to the end of the commit, with rows made before for 100 000 and made on the way for a
// million, whose making is measured by itself and taken off; what brings the log into the file afterwards, while nobody
// waits, is a figure of its own. Memory is the largest resident size above that before, while rows come one batch at a
// time. Reading is measured in the open cache of a million, each kind with different arguments, and shown as its median
// and 99th percentile; a LIKE over the same file is the naive peer.
//
// Usage: LabStoreBenchmark [COUNT] [FOLDER-TO-KEEP]    (else 1000000 entities in a folder that is removed)

let arguments = CommandLine.arguments
let count = arguments.count > 1 ? Int(arguments[1]) ?? 1_000_000 : 1_000_000
let scratch = ScratchFolder()
defer { _ = Program.run(["rm", "-rf", scratch.path]) }
let folder = arguments.count > 2 ? arguments[2] : scratch.path
do {
  try ApplyCase(folder: folder).run(few: 100_000, many: count)
  try ReadCase(folder: folder, count: count).run()
} catch {
  print("{\"name\":\"lab store\",\"error\":\"\(error)\"}")
}
