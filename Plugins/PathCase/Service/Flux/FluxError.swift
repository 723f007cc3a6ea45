import PluginAPI

/// The errors of computing fluxes.
enum FluxError {
  static let all: [DeclaredError] = [libraryMissing, unusableNumbers, unknownReaction]

  static let libraryMissing = DeclaredError(
    "pathcase.solver-missing", .failure, "the library that solves linear programs is not installed")

  static func libraryMissing(reason: String) -> ErrorReport {
    libraryMissing(
      "COIN-OR CLP cannot be used: \(reason)", advice: "install it: sudo apt-get install coinor-libclp1")
  }

  static let unusableNumbers = DeclaredError(
    "pathcase.unusable-numbers", .unusableInput, "the model has bounds, amounts or weights that are no numbers")

  static let unknownReaction = DeclaredError(
    "pathcase.unknown-reaction", .notFound, "the model has no such reaction")

  static func unknownReaction(_ index: Int, count: Int) -> ErrorReport {
    unknownReaction(
      "there is no reaction \(index)", advice: "the model has \(count) reactions, counted from 0")
  }
}
