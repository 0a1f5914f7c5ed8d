package main

import (
	"context"
	"fmt"
	"os"

	"clients/domains"
)

func main() {
	client, err := domains.NewClientWithResponses(os.Args[1])
	if err != nil {
		panic(err)
	}
	answer, err := client.CheckWithResponse(context.Background(), &domains.CheckParams{Name: "mixed"})
	if err != nil || answer.JSON200 == nil {
		panic(fmt.Sprint(err, answer))
	}
	for _, result := range answer.JSON200.Results {
		row, err := result.AsUnknownRow()
		if err == nil && row.State == domains.UnknownStateUnknown {
			var reason string = row.Error
			fmt.Println(row.Domain, reason)
			continue
		}
		fmt.Println(row.Domain, row.Available)
	}
}
