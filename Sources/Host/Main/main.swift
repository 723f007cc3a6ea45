Program.start(Array(CommandLine.arguments.dropFirst()))
