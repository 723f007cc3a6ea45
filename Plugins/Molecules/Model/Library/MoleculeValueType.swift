/// The type names of the values this plugin emits; each has its text renderer.
enum MoleculeValueType {
  static let info = "molecules.info"
  static let importReport = "molecules.import-report"
  static let deletion = "molecules.deletion"
  static let opened = "molecules.opened"
  static let sequences = "molecules.sequences"
  static let secondaryStructure = "molecules.secondary-structure"
  static let selection = "molecules.selection"
  static let measurement = "molecules.measurement"
  static let superposition = "molecules.superposition"
  static let page = "molecules.page"
}
