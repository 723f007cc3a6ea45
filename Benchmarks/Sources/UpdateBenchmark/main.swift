import BenchmarkSupport
import Glibc

@testable import PathCase

// Updating the pathway database from a service whose every response is slow, with six connections.
//
// The service is in the same process, on the loopback interface. An update is measured from the first request to the
// linked database. The ideal is a lower bound of all schedules: the manifest, then all documents at once, as far as the
// connections allow, with no time for reading and linking; documents that fail at first count with both attempts and
// the shortest delay. The peers fetch and read the same documents, with the same client and reader, one after the
// other, and each type after those it refers to.
//
// Usage: UpdateBenchmark RESOURCES    (the plugin's folder of resources)

let resources = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "Plugins/PathCase/Resources"
do {
  let records = try ServedDatabase.bundledWithLayouts(resources)
  try await ScheduleCase("bundled database, 100 ms an answer", records, ServedDatabase.even).run()
  try await ScheduleCase("bundled database, 20 to 300 ms an answer", records, ServedDatabase.uneven).run()
  try await ScheduleCase("bundled database, every fourth answer 503 or cut", records, ServedDatabase.faulty).run()
  let generated = ServedDatabase.generated(pathways: 40)
  try await ScheduleCase("40 pathways, 100 ms an answer", generated, ServedDatabase.even).run()
  try await CancelCase(records: records).run()
  try OpenCase(resources: resources).run()
} catch {
  print("{\"name\":\"update\",\"error\":\"\(error)\"}")
}
