package main

import (
	"context"
	"fmt"
	"os"

	domains "github.com/example/domains"
)

func main() {
	configuration := domains.NewConfiguration()
	configuration.Servers = domains.ServerConfigurations{{URL: os.Args[1]}}
	client := domains.NewAPIClient(configuration)
	answer, _, err := client.DomainsAPI.Check(context.Background()).Name("mixed").Execute()
	if err != nil {
		panic(err)
	}
	for _, row := range answer.Results {
		switch {
		case row.UnknownRow != nil:
			var reason string = row.UnknownRow.Error
			fmt.Println(row.UnknownRow.Domain, reason)
		case row.TakenRow != nil:
			fmt.Println(row.TakenRow.Domain, row.TakenRow.Available)
		case row.ReservedRow != nil:
			fmt.Println(row.ReservedRow.Domain, row.ReservedRow.Available)
		case row.AvailableRow != nil:
			fmt.Println(row.AvailableRow.Domain, row.AvailableRow.Available)
		default:
			panic("a row of no state")
		}
	}
}
