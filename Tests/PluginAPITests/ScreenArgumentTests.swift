import PluginAPI
import Testing

struct ScreenArgumentTests {
  private enum Direction: String, CaseIterable, ParameterValue { case left, right }
  private enum Action: String, CaseIterable {
    case turn
    case showToday = "show-today"
  }

  private static let molecule = ScreenArgument<Int>("molecule")
  private static let factor = ScreenArgument<Double>("factor")
  private static let flips = ScreenArgument<Bool>("flips")
  private static let direction = ScreenArgument<Direction>("direction")

  @Test("A written argument is read with the same declaration")
  func readsWhatWasWritten() {
    let request = ScreenRequest("viewer").with(Self.molecule, 7).with(Self.direction, .left).with(Self.flips, true)
    #expect(request == ScreenRequest("viewer", arguments: ["molecule": 7, "direction": "left", "flips": true]))
    #expect(request.arguments[Self.flips] == true)
    #expect(request.arguments[Self.molecule] == 7)
    #expect(request.arguments[Self.direction] == .left)
  }

  @Test("A missing argument is nil, and nil removes an argument")
  func missingArgumentIsNil() {
    let request = ScreenRequest("viewer", arguments: ["molecule": 7]).with(Self.molecule, nil)
    #expect(request.arguments.fields.isEmpty)
    #expect(request.arguments[Self.molecule] == nil)
  }

  @Test("A value of another type is nil")
  func otherTypesAreNil() {
    let arguments: Record = ["molecule": "seven", "factor": true, "direction": "up"]
    #expect(arguments[Self.molecule] == nil)
    #expect(arguments[Self.factor] == nil)
    #expect(arguments[Self.direction] == nil)
    let nulls: Record = ["molecule": nil]
    #expect(nulls[Self.molecule] == nil)
  }

  @Test("A whole number is read as a number")
  func readsWholeNumbersAsNumbers() {
    let arguments: Record = ["factor": 2]
    #expect(arguments[Self.factor] == 2.0)
  }

  @Test("An action takes its id from a case and its arguments from declarations")
  func actionsAreNamedByCases() {
    let action = ScreenAction(Action.showToday, "Go to today", keys: ["t"]).with(Self.molecule, -1)
    #expect(action == ScreenAction("show-today", "Go to today", keys: ["t"], arguments: ["molecule": -1]))
  }
}
