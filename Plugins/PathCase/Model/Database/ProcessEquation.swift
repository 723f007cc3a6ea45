/// The equation of a process in one line of text.
enum ProcessEquation {
  /// Returns the equation, such as `glc_c + atp_c => g6p_c + adp_c`.
  static func text(_ process: MetabolicProcess) -> String {
    let arrow = process.isReversible ? " <=> " : " => "
    return side(process.inputs) + arrow + side(process.outputs)
  }

  private static func side(_ participants: some Sequence<Participant>) -> String {
    participants.map { factor($0.stoichiometry) + $0.pool.text }.joined(separator: " + ")
  }

  /// Returns the stoichiometric factor before a name: `2 ` for two moles, "" for one.
  static func factor(_ moles: Double) -> String { moles == 1 ? "" : amount(moles) + " " }

  /// Returns a number of moles in its usual notation: `2`, `0.5`.
  static func amount(_ moles: Double) -> String {
    moles == moles.rounded() && abs(moles) < 1e15 ? String(Int(moles)) : String(moles)
  }
}
