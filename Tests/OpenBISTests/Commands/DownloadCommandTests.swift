import Foundation
import PluginAPI
import PluginSimulation
import PluginTesting
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite(.timeLimit(.minutes(5))) struct DownloadCommandTests {
  private let code = SimulatedDataSet.code(0)
  private let files = SimulatedDataSet.files(0)

  private func user(_ change: (inout SimulatorConfiguration) -> Void = { _ in }) async throws -> LabUser {
    try await LabUser.loggedIn(.demo, "", home: nil) {
      $0.chunkBytes = 5000
      change(&$0)
    }
  }

  private func bytes(_ path: String) -> [UInt8]? { (try? Data(contentsOf: URL(fileURLWithPath: path))).map(Array.init) }

  @Test(arguments: [true, false])
  func `all files of a data set are downloaded into a folder, with a manifest`(_ isFast: Bool) async throws {
    let (user, folder) = (try await user(), try DownloadFolder())
    if !isFast { user.server.add(SimulatorFaultRule(.noFastDownload)) }
    let target = folder.path + "/all"
    let result = try await user.run("download \(code) --all --output \(target)").value
    #expect(result["files"].integer == 7 && result["kept"].integer == 0 && result["checked"].bool == true)
    #expect(result["bytes"].integer == files.reduce(0) { $0 + $1.bytes.count } && result["file"].text == target)
    for file in files { #expect(bytes("\(target)/\(file.path)") == file.bytes, "\(file.path)") }
    let text = try #require(bytes(target + "/manifest.json"))
    let manifest = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    let listed = try #require(manifest["files"] as? [[String: Any]])
    #expect(manifest["dataSet"] as? String == code && manifest["server"] as? String == user.server.url)
    #expect(Set(listed.compactMap { $0["path"] as? String }) == Set(files.map(\.path)))
    #expect(listed.allSatisfy { ($0["crc32"] as? String)?.count == 8 && $0["checked"] as? Bool == true })
    let plain = user.server.fetched.filter { !$0.hasPrefix(SimulatorCore.transferPath) }
    #expect(plain.count == (isFast ? 0 : files.count), "\(plain)")
  }

  @Test func `existing files are not downloaded again, and different ones not replaced without confirmation`()
    async throws
  {
    let (user, folder) = (try await user(), try DownloadFolder())
    let target = folder.path + "/all"
    let command = "download \(code) --all --output \(target)"
    try await user.run(command)
    user.server.forgetCalls()
    let again = try await user.run(command).value
    #expect(again["kept"].integer == 7 && again["checked"].bool == true && user.server.fetched.isEmpty)
    let path = target + "/" + files[0].path
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
    let report = await user.report(command)
    #expect(report?.code == "openbis.file-exists" && report?.exitStatus == 7 && bytes(path) == [1, 2, 3])
    #expect(try await user.run(command + " --overwrite").value["kept"].integer == 6)
    #expect(bytes(path) == files[0].bytes)
  }

  @Test func `one question covers all files to be replaced, with their number`() async throws {
    let (user, folder) = (try await user(), try DownloadFolder())
    let target = folder.path + "/all"
    let command = "download \(code) --all --output \(target)"
    try await user.run(command)
    for file in files.prefix(2) { try Data([1]).write(to: URL(fileURLWithPath: target + "/" + file.path)) }
    user.plugin.answers.say("n")
    #expect(await user.report(command)?.code == "openbis.file-exists")
    for file in files.prefix(2) { #expect(bytes(target + "/" + file.path) == [1]) }
    user.plugin.answers.say("y")
    #expect(try await user.run(command).value["kept"].integer == 5)
    let questions = user.plugin.answers.questions.map(\.title)
    #expect(questions.count == 2 && questions.allSatisfy { $0.hasPrefix("Overwrite 2 files that differ, such as '") })
  }

  @Test func `a manifest of other origin is not replaced without confirmation`() async throws {
    let (user, folder) = (try await user(), try DownloadFolder())
    let target = folder.path + "/all"
    let command = "download \(code) --all --output \(target)"
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: URL(fileURLWithPath: target + "/manifest.json"))
    #expect(await user.report(command)?.code == "openbis.file-exists")
    #expect(bytes(target + "/manifest.json") == Array("{}".utf8))
    user.plugin.answers.say("y")
    #expect(try await user.run(command).value["files"].integer == 7)
    #expect(try await user.run(command).value["kept"].integer == 7)
  }

  @Test func `a pattern selects files, and one without matches is an error`() async throws {
    let (user, folder) = (try await user(), try DownloadFolder())
    let target = folder.path + "/some"
    let result = try await user.run("download \(code) --match *.png --output \(target)").value
    #expect(result["files"].integer == 2)
    #expect(bytes(target + "/original/gel.png") != nil && bytes(target + "/original/values.csv") == nil)
    #expect(await user.report("download \(code) --match *.nothing")?.code == "openbis.no-file")
    for line in ["download \(code)", "download \(code) original/gel.png --all"] {
      let report = await user.report(line)
      #expect(report?.code == "openbis.path-or-all" && report?.exitStatus == 2)
    }
  }

  @Test func `a single file is not replaced without confirmation`() async throws {
    let (user, folder) = (try await user(), try DownloadFolder())
    let target = folder.path + "/gel.png"
    let command = "download \(code) original/gel.png --output \(target)"
    try Data([1]).write(to: URL(fileURLWithPath: target))
    #expect(await user.report(command)?.code == "openbis.file-exists")
    #expect(bytes(target) == [1])
    try await user.run(command + " --overwrite")
    #expect(bytes(target) == files.first { $0.path == "original/gel.png" }?.bytes)
    #expect(folder.names == ["gel.png"])
  }

  @Test func `a failed file does not affect the others, and the next run downloads the missing one`() async throws {
    let (user, folder) = (try await user(), try DownloadFolder())
    let target = folder.path + "/all"
    let command = "download \(code) --all --output \(target)"
    user.server.add(SimulatorFaultRule(.wrongChecksum))
    #expect(await user.report(command)?.code == "openbis.download-checksum")
    user.server.heal()
    #expect(try await user.run(command).value["files"].integer == 7)
    for file in files { #expect(bytes("\(target)/\(file.path)") == file.bytes, "\(file.path)") }
  }

  @Test func `files with hostile names are stored below the folder, under sanitized names`() async throws {
    let (user, folder) = (try await user(), try DownloadFolder())
    let files = SimulatedDataSet.files(270).sorted { $0.path < $1.path }
    for faults in [[], [SimulatorFaultRule(.noFastDownload)]] as [[SimulatorFaultRule]] {
      for fault in faults { user.server.add(fault) }
      let target = folder.path + "/all-\(faults.count)"
      let result = try await user.run("download \(SimulatedDataSet.code(270)) --all --output \(target)").value
      #expect(result["files"].integer == 13)
      for (file, local) in zip(files, LocalName.paths(files.map(\.path))) {
        #expect(bytes(target + "/" + local) == file.bytes, "\(local)")
        #expect(Harm.found(in: local).isEmpty)
      }
    }
  }

  @Test func `a data set with a path outside the folder is refused as a whole`() async throws {
    let (user, folder) = (try await user(), try DownloadFolder())
    let report = await user.report("download \(SimulatedDataSet.code(280)) --all --output \(folder.path)/all")
    #expect(report?.code == "openbis.download-path" && folder.names.isEmpty)
  }

  @Test func `local file names contain no control characters and stay within the folder`() {
    #expect(LocalName.file("original/\u{1B}]0;pwn\u{7}.txt") == "_]0;pwn_.txt")
    #expect(LocalName.file("a/.bashrc") == "_bashrc" && LocalName.file("") == "_" && LocalName.file("a/..") == "_")
    #expect(LocalName.file("gel #1 ä+%.txt") == "gel #1 ä+%.txt")
    #expect(LocalName.paths(["a/../b", "a/./b", "a/b\u{1}", "a/b\u{2}"]) == ["a/_/b", "a/_/b~2", "a/b_", "a/b_~2"])
    #expect(
      LocalName.paths(["manifest.json", "a/manifest.json", "a.part", "manifest.json~2"])
        == ["manifest.json~2", "a/manifest.json", "a.part~2", "manifest.json~2~2"])
    let long = LocalName.file(String(repeating: "ä", count: 500) + ".txt")
    #expect(long.utf8.count <= 240)
  }
}
