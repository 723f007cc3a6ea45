import BenchmarkSupport
import Glibc

// The library: importing and loading a large molecule, and listing and searching ten thousand.
//
// 2BTV is imported from the gzipped file, each time into a new library: the file is read and parsed, its bonds found,
// the structure digested and encoded, the original written to the device, the rows committed. Loading opens the library
// again and ends with the structure and its bonds ready to be drawn; parsing the plain file is measured for comparison.
// The library of ten thousand molecules has their originals beside it and is listed as at a start of the program: it is
// opened, its rows are read, and the folder of originals is searched for files dropped there. The shortest of several
// rounds counts.
//
// Small files are imported into a library of one user and into one that is shared in a PostgreSQL server on this
// machine. The time until another process sees an import includes the import's commit. Then eight processes of the real
// program import files at once, half of which are the same for all. These lines are skipped without the server, and the
// last without the built program.
//
// Usage: LibraryBenchmark [FOLDER-OF-SHARED-DATA]    (else WORKBENCH_SHARED_DATA, else ../shared/data)
//        LibraryBenchmark announce FOLDER            import a file for each line into the library in FOLDER

let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "announce" {
  try await AnnouncingWriter(folder: arguments[2]).run()
  exit(0)
}
let environmentFolder = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let dataFolder = (arguments.count > 1 ? arguments[1] : environmentFolder ?? "../shared/data") + "/molecules/"
let scratch = ScratchFolder()
defer {
  _ = Program.run(["rm", "-rf", scratch.path])
}
do {
  try await ImportCase(file: dataFolder + "pdb/2btv.pdb.gz", scratch: scratch).run()
} catch {
  print("{\"name\":\"import 2btv\",\"error\":\"\(error)\"}")
}
do {
  try await ListCase(count: 10_000, folder: scratch.path + "/many").run()
} catch {
  print("{\"name\":\"list\",\"error\":\"\(error)\"}")
}
do {
  try await SharedCase(scratch: scratch).run()
} catch {
  print("{\"name\":\"shared\",\"error\":\"\(error)\"}")
}
