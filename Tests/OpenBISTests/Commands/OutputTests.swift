import Foundation
import PluginAPI
import PluginSimulation
import PluginTesting
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Files that commands write or read.
@Suite(.timeLimit(.minutes(10)))
struct OutputTests {
  /// Returns a folder for the output of commands.
  private func folder(_ user: LabUser) throws -> String {
    let path = user.plugin.context.folders.cache + "/out"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  private func kind(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  @Test func `an unusable output path is refused equally by all commands`() async throws {
    let user = try await LabUser.synced()
    let (id, folder) = (try #require(user.server.permIDs(300..<400).first { !$0.contains(" ") }), try folder(user))
    try await user.run("image \(id)")
    let commands = ["export \(id) --output", "image \(id) --save", "image \(id) --cached --save"]
    let cases: [(String, ErrorReport.Kind)] = [
      ("-", .usage), (folder, .failure), (folder + "/none/x", .notFound), ("/dev/full", .failure),
    ]
    for command in commands {
      for (path, kind) in cases {
        let report = await user.report("\(command) \(path)")
        #expect(report?.code == "openbis.not-writable" && report?.kind == kind, "\(command) \(path)")
      }
      #expect(await user.report("\(command) \(folder)")?.message.contains("is a folder") == true)
    }
    #expect(kind("/dev/full") == S_IFCHR)
    for command in ["export", "download"] {
      let rest: Record = command == "export" ? ["perm-id": .text(id)] : ["data-set": "x", "path": "y"]
      for name in ["", "-"] {
        var arguments = rest
        arguments["output"] = .text(name)
        let error = await errorOf { try await user.plugin.run(command, arguments) }
        #expect(codeOf(error) == "openbis.not-writable", "\(command) '\(name)'")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func `an export follows a symbolic link, and can be written into a pipe`() async throws {
    let user = try await LabUser.synced()
    let (id, folder) = (try #require(user.server.permIDs(300..<400).first { !$0.contains(" ") }), try folder(user))
    try Data([1]).write(to: URL(fileURLWithPath: folder + "/real"))
    symlink("real", folder + "/link")
    chmod(folder + "/real", 0o640)
    try await user.run("export \(id) --output \(folder)/link")
    let text = try Data(contentsOf: URL(fileURLWithPath: folder + "/real"))
    #expect(text.count > 100 && kind(folder + "/link") == S_IFLNK)
    var status = stat()
    #expect(stat(folder + "/real", &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(mkfifo(folder + "/pipe", 0o600) == 0)
    let reader = open(folder + "/pipe", O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try await user.run("export \(id) --output \(folder)/pipe")
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    #expect(read(reader, &bytes, bytes.count) > 100 && kind(folder + "/pipe") == S_IFIFO)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["link", "pipe", "real"])
  }

  @Test func `a cached image needs no request, and one by known details only that for the image`() async throws {
    let user = try await LabUser.synced()
    let id = try #require(user.server.permIDs(300..<400).first { !$0.contains(" ") })
    try await user.run("detail \(id)")
    user.server.forgetCalls()
    let report = await user.report("image \(id) --cached")
    #expect(report?.code == "openbis.not-cached")
    #expect(user.server.callCount == 0 && user.server.fetched.isEmpty)
    #expect(try await user.run("image \(id) --known-details").value.picture != nil)
    #expect(user.server.callCount == 0 && user.server.fetched.count == 1)
    #expect(try await user.run("image \(id) --cached").value.picture != nil)
    #expect(user.server.fetched.count == 1)
  }

  @Test func `while the server is unreachable no image is requested by known details`() async throws {
    let user = try await LabUser.synced()
    let ids = Array(user.server.permIDs(300..<400).filter { !$0.contains(" ") }.prefix(2))
    for id in ids { try await user.run("detail \(id)") }
    user.server.add(SimulatorFaultRule(.redirectOtherHost, on: "createReportFromAggregationService", times: 1))
    #expect(try await user.codes("detail \(ids[0])") == ["openbis.offline"])
    #expect(await user.report("image \(ids[0]) --known-details")?.code == "openbis.not-cached")
    #expect(user.server.fetched.isEmpty)
    // A response ends that.
    try await user.run("detail \(ids[1])")
    #expect(try await user.run("image \(ids[0]) --known-details").value.picture != nil)
  }

  @Test func `an image of an expired session is fetched after one login`() async throws {
    let user = try await LabUser.synced()
    let id = try #require(user.server.permIDs(300..<400).first { !$0.contains(" ") })
    try await user.run("detail \(id)")
    user.server.forgetCalls()
    user.server.expireSessions()
    #expect(try await user.run("image \(id) --known-details").value.picture != nil)
    #expect(user.server.log.filter { $0 == "login" }.count == 1)
  }

  @Test func `a failed preview leaves no file`() async throws {
    let user = try await LabUser.loggedIn(.plain, "--native")
    let dataSet = SimulatedDataSet.code(0)
    let cache = user.plugin.context.folders.cache
    func left() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []).filter { $0.hasPrefix("preview-") }
    }
    #expect(try await user.run("preview \(dataSet) original/values.csv").value.table != nil)
    user.server.add(SimulatorFaultRule(.wrongChecksum))
    user.server.add(SimulatorFaultRule(.cutDownload))
    #expect(await user.report("preview \(dataSet) original/gel.png") != nil)
    #expect(left().isEmpty)
  }

  @Test func `names of previews differ if any of their parts does`() {
    let long = String(repeating: "a", count: 100)
    let names = [("s", "d", "x" + long), ("s", "d", "y" + long), ("s", "dx", long), ("sd", "", "x" + long)]
      .map { FileStart.name($0.0, $0.1, $0.2) }
    #expect(Set(names).count == 4 && names.allSatisfy { !$0.contains("/") && $0.utf8.count < 100 })
  }

  @Test func `a missing mapping file is not found, and a folder is unusable`() async throws {
    let user = try await LabUser()
    let folder = try folder(user)
    #expect(await user.report("mapping check \(folder)/none.json")?.exitStatus == 3)
    #expect(await user.report("mapping check \(folder)")?.exitStatus == 5)
  }
}
