import Foundation
import Glibc
import PluginAPI
import PluginTesting
import PluginText
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Data of people passes through the commands and ends up in the store only.
@Suite(.timeLimit(.minutes(5)))
struct CommandCanaryTests {
  /// A word that occurs nowhere else in this process, from the seed 1904.
  private let word: String = {
    var random = SplitMix64(seed: 1904)
    return "zk" + String(random.next(), radix: 36)
  }()

  /// The longest value of each field that accepts only the form's own values, and of each date.
  private static let picked = [
    "gender": "Unknown", "hair-color": "Blonde", "race": "Native American", "eye-color": "Green",
    "date-of-birth": "1904-02-29",
  ]

  /// Returns all files below a folder that contain the word, or a picked one.
  private func files(in folder: String) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    let words = ([word] + Self.picked.values).map { Data($0.utf8) }
    return names.filter { name in
      guard let content = FileManager.default.contents(atPath: folder + "/" + name) else { return false }
      return words.contains { content.range(of: $0) != nil }
    }
  }

  /// Files that this process has open and that have no name any more, such as temporary ones.
  private func namelessFiles() -> [String] {
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return open.filter { number in
      let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) ?? ""
      guard target.hasPrefix("/"), target.hasSuffix("(deleted)") else { return false }
      return FileManager.default.contents(atPath: "/proc/self/fd/\(number)")?.range(of: Data(word.utf8)) != nil
    }
  }

  private func expectSilence(_ user: StationUser, _ when: String) throws {
    #expect(try files(in: user.home).isEmpty, "\(when)")
    #expect(namelessFiles().isEmpty, "\(when)")
    let said = user.plugin.context.logLines.map { "\($0)" }
    for text in [word] + Self.picked.values { #expect(!said.contains { $0.contains(text) }, "'\(text)' \(when)") }
  }

  /// Adds an item whose sensor is trusted by a pin and by files, all of which contain the word.
  private func addTrusting(_ user: StationUser) async throws {
    let folder = String(user.keyFile.dropLast("station.key".count))
    let files = ["authorities", "client-certificate", "client-key"].map { name in
      (name: name, path: "\(folder)\(word)\(name).pem")
    }
    for file in files { try Data().write(to: URL(fileURLWithPath: file.path)) }
    let trust = files.map { "--\($0.name) \($0.path)" }.joined(separator: " ")
    let add = "item add 1 --submodality LeftThumbFlat --sensor https://127.0.0.1:9 \(trust) --pin"
    // A pin is the hash of a key, and nothing else is accepted.
    #expect(await user.report("\(add) \(word)")?.message.contains("44 characters") == true)
    let pin = (word + String(repeating: "A", count: 43)).prefix(43) + "="
    let item = try await user.value("\(add) \(pin)")
    #expect(item["pins"].list == [.text(String(pin))])
    let kept = try await user.store().items(of: 1).last?.device.trust
    #expect(
      kept.map { [$0.authorities, $0.clientCertificate, $0.clientKey] }?.allSatisfy { $0.contains(word) } == true)
    // The sensor does not exist; the error's content is not checked.
    _ = await user.report("capture \(item["id"].integer ?? 0)")
    _ = await user.report("sensor check https://127.0.0.1:9 \(trust)")
  }

  @Test func `values of options are only in the store, and nowhere after their person is deleted`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let keys = BiographyField.allCases.map { ($0.rawValue, $0.key) }
    let options = keys.map { name, _ in
      "--\(name) '\(Self.picked[name] ?? word + name)'"
    }
    let added = try await user.value("person add " + options.joined(separator: " "))
    // The values of the form and dates are not free text; those from an import are searched for in the store's own
    // proof.
    for (field, text) in Self.picked {
      let found = added[try #require(keys.first { $0.0 == field }).1]
      #expect(found == .text(text) || found.list == [.text(text)], "\(field) is \(found)")
      #expect(await user.report("person edit 1 --\(field) \(word)")?.code == "wsabi.not-allowed")
    }
    let address = user.address(1)
    try await user.run(
      "item add 1 --submodality RightIndexFlat --sensor \(address) --sensor-name \(word)desk --set \(word)key=\(word)value"
    )
    try await user.run("item edit 1 --sensor-name \(word)other --sensor \(address)")
    try await user.run("item annotate 1 --part bandaged --notes \(word)note")
    // The service does not know the key of the configuration; whatever the result, the word is not revealed.
    _ = await user.report("capture 1")
    try await user.run("item add 1 --submodality LeftIndexFlat --sensor \(address)")
    try await user.run("capture 2")
    try await addTrusting(user)
    #expect(try await user.value("person list --find \(word)note").list?.count == 1)
    for line in [
      "person edit 99 --notes \(word)", "item annotate 1 --part \(word)", "item add 1 --submodality \(word) --sensor a",
      "person show 99", "import /\(word)", "role \(word) admin", "person list --find \(word)nobody",
      "export 1 --to /\(word)/a --key-file \(user.keyFile)", "sensor check http://\(word).invalid:1",
    ] { _ = await user.report(line) }
    try expectSilence(user, "while it is open")
    let out = String(user.keyFile.dropLast("station.key".count)) + "out"
    for form in ["json", "zip", "an2k"] {
      try await user.run("export 1 --format \(form) --to \(out).\(form) --key-file \(user.keyFile)")
    }
    #expect(try files(in: out + ".json") == ["manifest.json"])
    try await user.run("person delete 1 --yes --key-file \(user.keyFile)")
    for form in ["json", "zip", "an2k"] {
      let read = try await user.value("import \(out).\(form)")
      try expectSilence(user, "after '\(form)' was imported")
      let person = read["person"].integer ?? 0
      #expect(try await user.value("person list --find \(word)last-name").list?.count == 1)
      try await user.run("person delete \(person) --yes --key-file \(user.keyFile)")
    }
    #expect(try await user.value("person list").list == [])
    try expectSilence(user, "after everybody was deleted")
    try await user.run("store purge --key-file \(user.keyFile)")
    try await user.run("store lock")
    try expectSilence(user, "while it is locked")
    var cores = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &cores)
    #expect(cores.rlim_cur == 0)
    await user.stop()
  }
}
