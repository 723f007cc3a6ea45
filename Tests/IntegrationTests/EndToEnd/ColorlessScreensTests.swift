import Foundation
import TestSupport
import Testing

/// Screens without their styles, as in monochrome terminals and for people who see no colors.
struct ColorlessScreensTests {
  /// The text of the last frame, without styles.
  private func frame(_ words: [String], _ keys: String) throws -> String {
    let outcome = try CommandLineProcess(words + ["--headless", "100x30", "--keys", keys]).finish()
    #expect(outcome.status == 0 && !outcome.output.contains("\u{1B}"), "\(outcome.errors)")
    return outcome.output
  }

  @Test(arguments: [
    (["run"], "wait", "down wait"), (["run"], "wait ctrl-p wait", "down wait"),
    (["run", "molecules", "3"], "wait i wait", "down wait"),
    (["run", "molecules", "3"], "wait ctrl-p wait", "down wait"),
    (["run", "pathcase"], "wait", "down wait"), (["run", "pathcase", "w-glycolysis"], "wait n wait", "n wait"),
    (["run", "openbis"], "wait ctrl-p wait", "down wait"), (["run", "wsabi"], "wait ctrl-p wait", "down wait"),
  ])
  func `the text of a screen shows the selection`(words: [String], before: String, move: String) throws {
    let (first, second) = (try frame(words, before), try frame(words, before + " " + move))
    #expect(first != second, "\(first)")
  }

  @Test func `an unusable plugin is marked by a sign and a word`() throws {
    let home = try TemporaryFolder()
    let variables = ["WORKBENCH_HOME": home.path.path]
    let disabled = try CommandLineProcess(["plugin", "disable", "openbis"], environment: variables).finish()
    #expect(disabled.status == 0, "\(disabled.errors)")
    let text = try CommandLineProcess(["run", "--headless", "100x30"], environment: variables).finish().output
    #expect(text.contains("✗ disabled"), "\(text)")
  }

  @Test(arguments: [
    [], ["run", "molecules", "3"], ["run", "pathcase"], ["run", "pathcase", "w-glycolysis"], ["run", "openbis"],
    ["run", "wsabi"], ["tour"],
  ])
  func `every first screen works as linear text on a dumb terminal`(words: [String]) throws {
    let process = try CommandLineProcess(words, environment: ["TERM": "dumb"])
    let outcome = try process.finish(input: "?\n/no such thing\n/\n:\n/help\nb\nq\n")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let isPlain = (outcome.output + outcome.errors).unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 }
    #expect(isPlain && !outcome.output.isEmpty)
    if words != ["tour"] {
      #expect(
        outcome.output.contains("NUMBER chooses an item") && outcome.output.contains("items have 'no such thing'"))
      #expect(outcome.output.contains("1. "), "something can be chosen: \(outcome.output)")
    }
  }
}
