import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Biographies that do not appear in a command's arguments.
struct BiographyFormsTests {
  @Test func `lines of a form name options, and blank lines and comments are ignored`() throws {
    let texts = try BiographyForms.parse([
      "# enrolled on Monday", "", "  First-Name :  Ada  ", "alias: Countess: of Lovelace", "alias: A.A.L.", "notes:",
    ])
    #expect(texts == ["first-name": ["Ada"], "alias": ["Countess: of Lovelace", "A.A.L."], "notes": [""]])
    #expect(throws: StationError.badFormLine(2, "frist-name", known: ["first-name"])) {
      try BiographyForms.parse(["last-name: Lovelace", "frist-name: Ada"])
    }
    #expect(throws: StationError.formLineWithoutName(1)) {
      try BiographyForms.parse(["Ada Lovelace"])
    }
  }

  @Test func `a person is read from a file, and options take precedence`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let folder = try TemporaryFolder()
    let form = folder.url("ada.txt")
    try Data("first-name: Ada\nlast-name: Lovelace\r\ngender: female\nalias: A.A.L.\nalias: Countess".utf8).write(
      to: form)
    let person = try await user.value("person add --from \(form.path) --last-name King")
    #expect(person["firstName"] == "Ada" && person["lastName"] == "King" && person["gender"] == "Female")
    #expect(person["alias"] == ["A.A.L.", "Countess"])
    try Data("last-name: Byron".utf8).write(to: form)
    let edited = try await user.value("person edit 1 --from \(form.path)")
    #expect(edited["lastName"] == "Byron" && edited["firstName"] == "Ada" && edited["alias"] == person["alias"])
    try Data("gender: countess".utf8).write(to: form)
    #expect(await user.report("person edit 1 --from \(form.path)")?.code == "wsabi.not-allowed")
    #expect(await user.report("person add --from \(form.path).none") != nil)
    #expect(try await user.value("person list").list?.count == 1)
    await user.stop()
  }

  @Test func `a person is entered field by field, and added only if all fields are answered`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    user.plugin.answers.say("Ada", "", "Lovelace")
    #expect(await user.report("person add --ask")?.code == "wsabi.missing")
    #expect(try await user.value("person list").list?.isEmpty == true)
    let count = BiographyField.allCases.count
    user.plugin.answers.say("Ada", "", "Lovelace")
    for _ in 3..<count { user.plugin.answers.say("") }
    let person = try await user.value("person add --ask")
    #expect(person["firstName"] == "Ada" && person["middleName"] == "" && person["lastName"] == "Lovelace")
    await user.stop()
  }
}
