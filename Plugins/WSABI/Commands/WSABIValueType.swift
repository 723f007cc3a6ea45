/// The names of the values that commands of this plugin give, each with a text renderer.
enum WSABIValueType {
  static let person = "wsabi.person"
  static let people = "wsabi.people"
  static let item = "wsabi.item"
  static let items = "wsabi.items"
  static let enrolled = "wsabi.enrolled"
  static let captures = "wsabi.captures"
  static let captureRun = "wsabi.capture-run"
  static let sensorCheck = "wsabi.sensor-check"
  static let discovered = "wsabi.discovered"
  static let sensorAnswer = "wsabi.sensor-answer"
  static let operations = "wsabi.operations"
  static let users = "wsabi.users"
  static let log = "wsabi.log"
  static let personCheck = "wsabi.person-check"
  static let exported = "wsabi.exported"
  static let imported = "wsabi.imported"
}
