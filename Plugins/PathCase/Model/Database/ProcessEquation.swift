/// What a process takes and gives, in a line.
enum ProcessEquation {
  /// The equation, such as `glc_c + atp_c => g6p_c + adp_c`.
  static func text(_ process: MetabolicProcess) -> String {
    let arrow = process.isReversible ? " <=> " : " => "
    return side(process.inputs) + arrow + side(process.outputs)
  }

  private static func side(_ participants: some Sequence<Participant>) -> String {
    participants.map { participant in
      let amount = participant.stoichiometry
      let whole = amount == amount.rounded() && abs(amount) < 1e15
      return (amount == 1 ? "" : (whole ? String(Int(amount)) : String(amount)) + " ") + participant.pool.text
    }.joined(separator: " + ")
  }
}
