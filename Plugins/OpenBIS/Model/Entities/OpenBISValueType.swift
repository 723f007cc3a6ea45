/// The type names of values of this plugin that have text renderers.
enum OpenBISValueType {
  static let account = "openbis.account"
  static let entity = "openbis.entity"
  static let entities = "openbis.entities"
  static let export = "openbis.export"
  static let mapping = "openbis.mapping"
  static let sync = "openbis.sync"
  static let tree = "openbis.tree"
}
