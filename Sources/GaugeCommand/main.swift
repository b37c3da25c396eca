// The command line of Gauge; everything is in GaugeRunner, where it is tested.

import GaugeRunner

Program.main()
